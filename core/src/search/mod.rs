//! Search host.

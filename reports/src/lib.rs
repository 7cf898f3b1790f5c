//! Statistics and tables: a pure function of records.

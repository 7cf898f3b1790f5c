//! Position sets with provenance; EPD and OBF.

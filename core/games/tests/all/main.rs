//! What must hold of every game, in one program: each further one would compile the searches again.

mod any;
mod chess_identities;
mod common;
mod draughts_identities;
mod einstein_identities;
mod method_rules;
mod othello_identities;
mod scope;
mod shogi_identities;
mod variants;

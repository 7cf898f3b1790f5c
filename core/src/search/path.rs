//! What the way to a node says about the node: the expected type, and what the way forbids.
//!
//! A result found after a null move or inside a probe may differ from the same position's result elsewhere,
//! so the path is also part of what the transposition table must match ([`Path::context`]).

/// Expected node type of the minimal tree (Knuth & Moore 1975; Marsland & Popowich 1985).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On the principal variation, or searched again as if it were: the window is open. Behind a throw of chance windows
    /// are open elsewhere too.
    Pv,
    /// A child is expected to refute the move that led here.
    Cut,
    /// Every move is expected to fail low.
    All,
}

impl Kind {
    /// Type of a child searched with a null window: types alternate below a null window.
    #[must_use]
    #[inline]
    pub fn child(self) -> Kind {
        match self {
            Kind::Pv | Kind::All => Kind::Cut,
            Kind::Cut => Kind::All,
        }
    }
}

/// The part of a node's history that pruning rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Expected node type.
    pub kind: Kind,
    /// The last move was a null move: another must not follow.
    pub after_null: bool,
    /// Methods whose probe this node lies in, by the bits that the search gave them ([`crate::prune::Place`]).
    pub inside: u32,
}

impl Path {
    /// The path to the root.
    pub const ROOT: Path = Path { kind: Kind::Pv, after_null: false, inside: 0 };

    /// The path over an ordinary move to a node of type `kind`.
    #[must_use]
    #[inline]
    pub fn child(self, kind: Kind) -> Path {
        Path { kind, after_null: false, inside: self.inside }
    }

    /// The path over a null move; the null-window search below expects to fail low for the opponent.
    #[must_use]
    #[inline]
    pub fn null(self) -> Path {
        Path { kind: Kind::All, after_null: true, inside: self.inside }
    }

    /// The same node, or a child, within the probe of the method with this mark.
    #[must_use]
    #[inline]
    pub fn probe(self, mark: u32, kind: Kind) -> Path {
        Path { kind, after_null: false, inside: self.inside | mark }
    }

    /// Whether this node lies in a probe of the method with this mark.
    #[must_use]
    #[inline]
    pub fn is_inside(self, mark: u32) -> bool {
        self.inside & mark != 0
    }

    /// What the table must match besides position and depth, but for the marks that a slot has no room for
    /// ([`Path::beyond`]). `sensitive` is whether any active method asks the path at this depth or below; if none does,
    /// all paths give the same result and share entries.
    #[must_use]
    #[inline]
    pub fn context(self, sensitive: bool) -> u8 {
        if sensitive { (self.inside as u8 & 0x7F) | (u8::from(self.after_null) << 7) } else { 0 }
    }

    /// Marks that a slot of the table has room for.
    pub const SLOT: u32 = 7;

    /// What becomes of a table key below marks that no slot has room for: another key, so that 16 bytes do for any number
    /// of methods. Such nodes share no best move with the same position elsewhere, and no value.
    #[must_use]
    #[inline]
    pub fn beyond(self, sensitive: bool) -> u64 {
        let marks = u64::from(self.inside >> Path::SLOT);
        if sensitive { marks.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { 0 }
    }
}

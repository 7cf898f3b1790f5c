//! Results that others published, for comparison; marked as published wherever they are shown.

/// The game and the depth of Buro's Table 2, and of the same rows measured with Edax.
pub const OF_BURO: (&str, u64) = ("othello", 12);

/// The game of Jiang & Buro (2003), and of all others here but those of [`OF_BURO`].
pub const OF_JIANG: &str = "chess";

/// One row of Table 2 of Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", ICCA
/// Journal 18(2), 1995: 50 positions, 12 plies, pair (4,8), t = 1.5, plain search without a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buro {
    /// Discs on the board.
    pub discs: &'static str,
    /// Plain search, mean nodes.
    pub plain: u64,
    /// Plain search, standard deviation.
    pub plain_sd: u64,
    /// ProbCut, mean nodes.
    pub probcut: u64,
    /// ProbCut, standard deviation.
    pub probcut_sd: u64,
    /// Same move, percent.
    pub same_move: u32,
    /// Same value, percent, at a resolution of 0.0001 in log-odds.
    pub same_value: u32,
}

/// The five rows.
#[rustfmt::skip]
pub const BURO_TABLE_2: [Buro; 5] = [
    Buro { discs: "12", plain: 5_012_649, plain_sd: 1_375_003, probcut: 752_169, probcut_sd: 237_304, same_move: 100, same_value: 84 },
    Buro { discs: "20", plain: 11_013_030, plain_sd: 5_248_987, probcut: 1_823_702, probcut_sd: 1_229_339, same_move: 90, same_value: 72 },
    Buro { discs: "28", plain: 9_264_054, plain_sd: 5_055_533, probcut: 1_446_873, probcut_sd: 1_001_035, same_move: 100, same_value: 90 },
    Buro { discs: "36", plain: 4_132_991, plain_sd: 1_606_994, probcut: 768_182, probcut_sd: 424_531, same_move: 94, same_value: 84 },
    Buro { discs: "44", plain: 778_925, plain_sd: 518_429, probcut: 181_976, probcut_sd: 108_519, same_move: 84, same_value: 78 },
];

/// What the same paper says of its figures 3 and 4 (pair (4,8), 28 and 44 discs): pairs in each, r^2. The lines
/// themselves are not legible in the copies that are left.
pub const BURO_FIGURES_3_4: (&str, &str) = ("about 2,000", "about 0.97");

/// One row of Table 1 of Jiang & Buro, "First Experimental Results of ProbCut Applied to Chess" (2003), as text: v = a v' + b,
/// centipawns, null move on, |v'| <= 300.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jiang {
    /// Plies of the shallow search.
    pub shallow: i32,
    /// Plies of the deep search.
    pub deep: i32,
    /// Stage, as chess names it in [`secateur_record::games`].
    pub stage: &'static str,
    /// Slope.
    pub a: &'static str,
    /// Intercept.
    pub b: &'static str,
    /// Standard deviation of the error.
    pub sigma: &'static str,
    /// Correlation.
    pub r: &'static str,
}

/// The rows of the two pairs that their text discusses.
#[rustfmt::skip]
pub const JIANG_TABLE_1: [Jiang; 4] = [
    Jiang { shallow: 3, deep: 5, stage: "middlegame", a: "0.998", b: "-7.0", sigma: "55.8", r: "0.90" },
    Jiang { shallow: 3, deep: 5, stage: "endgame", a: "1.026", b: "-4.1", sigma: "51.8", r: "0.94" },
    Jiang { shallow: 4, deep: 8, stage: "middlegame", a: "1.02", b: "2.36", sigma: "82", r: "0.82" },
    Jiang { shallow: 4, deep: 8, stage: "endgame", a: "1.11", b: "1.75", sigma: "75", r: "0.90" },
];

/// One row of the same form measured with Edax 4.6: its own ProbCut at every iteration at one level, 12 plies, 50
/// positions of tournament games, an evaluation trained in two minutes on 122,000 such games. Table, enhanced cut-offs
/// and stability cut-offs are on in both searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edax {
    /// Discs on the board.
    pub discs: &'static str,
    /// Mean nodes without ProbCut.
    pub plain: u64,
    /// Standard deviation of these.
    pub plain_sd: u64,
    /// At t = 2.0: speed-up (ratio of means), same move and same value, percent.
    pub strict: (f64, u32, u32),
    /// At t = 2.6.
    pub stricter: (f64, u32, u32),
}

/// The five rows.
#[rustfmt::skip]
pub const EDAX: [Edax; 5] = [
    Edax { discs: "12", plain: 3_770_064, plain_sd: 1_103_102, strict: (14.4, 96, 62), stricter: (11.0, 100, 80) },
    Edax { discs: "20", plain: 10_092_370, plain_sd: 6_055_744, strict: (14.3, 96, 84), stricter: (10.4, 92, 88) },
    Edax { discs: "28", plain: 7_758_935, plain_sd: 4_952_380, strict: (9.8, 100, 90), stricter: (7.0, 100, 98) },
    Edax { discs: "36", plain: 3_685_872, plain_sd: 2_158_134, strict: (6.3, 96, 94), stricter: (4.6, 98, 98) },
    Edax { discs: "44", plain: 803_370, plain_sd: 351_167, strict: (2.8, 94, 82), stricter: (2.1, 94, 88) },
];

/// One row of the nodes of null-move variants in chess, Tabibi & Netanyahu, "Verified Null-Move Pruning", ICGA Journal 25(3),
/// 2002, as quoted in the archive of the Computer Chess Club (post 271270): one test suite at fixed depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// Plies.
    pub depth: u32,
    /// Nodes with R = 1, 2, 3, and with R = 3 verified.
    pub nodes: [u64; 4],
    /// Positions solved by the same.
    pub solved: [u32; 4],
}

/// The two depths that the quotation has.
#[rustfmt::skip]
pub const VERIFIED: [Verified; 2] = [
    Verified { depth: 9, nodes: [1_652_668_804, 603_549_661, 267_208_422, 449_744_588], solved: [64, 62, 53, 60] },
    Verified { depth: 10, nodes: [11_040_766_367, 1_892_829_685, 862_153_828, 1_449_589_289], solved: [71, 66, 65, 71] },
];

/// One row of tables 1.1 and 1.2 of Heinz, extended futility pruning in DarkThought (ICCA Journal 21(2), 1998, and its web
/// chapter): change of nodes in percent when a method is added. His baseline has null move and more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heinz {
    /// Plies.
    pub depth: u32,
    /// Extended futility added to normal futility, on the ECM positions: percent, and positions solved more.
    pub extended: (f64, i32),
    /// Limited razoring added to that, on all 2,180 positions: percent, and positions solved more.
    pub razoring: (f64, i32),
}

/// The three depths.
pub const HEINZ: [Heinz; 3] = [
    Heinz { depth: 8, extended: (-11.86, -10), razoring: (-1.39, 3) },
    Heinz { depth: 10, extended: (-13.41, -6), razoring: (-1.89, 2) },
    Heinz { depth: 12, extended: (-16.70, -8), razoring: (-8.32, 0) },
];

/// Mean depths of Jiang & Buro (2003), section 4: some 300 positions of 30 seconds each; null-move search alone, with ProbCut
/// and with Multi-ProbCut at t = 1.0.
pub const JIANG_DEPTHS: [f64; 3] = [11.5, 11.6, 12.0];

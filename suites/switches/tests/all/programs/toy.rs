//! A search of a tree of numbers, so that a patched program can be run: it prints its value and its nodes.

fn mix(mut key: u32) -> u32 {
    key ^= key >> 15;
    key = key.wrapping_mul(0x2c1b_3c6d);
    key ^= key >> 12;
    key = key.wrapping_mul(0x297a_2d39);
    key ^ key >> 15
}

fn evaluate(key: u32) -> i32 {
    (mix(key) % 201) as i32 - 100
}

struct Searcher {
    nodes: u64,
}

impl Searcher {
    fn make_null_move(&self, key: u32) -> u32 {
        key ^ 0x5555_5555
    }

    fn search(&mut self, key: u32, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        let eval = evaluate(key);
        self.nodes += 1;
        if depth <= 0 {
            return eval;
        }
        if depth <= 2 && eval - 60 * depth >= beta {
            return eval;
        }
        if depth >= 3 && eval >= beta + 10 {
            let passed = self.make_null_move(key);
            let score = -self.search(passed, depth - 3, -beta, -beta + 1);
            if score >= beta {
                return score;
            }
        }
        let mut best = -1000;
        let mut move_count = 0;
        for step in 1..=9 {
            move_count += 1;
            if depth <= 2 && move_count > 5 + depth {
                break;
            }
            let new_depth = depth - 1;
            let reduction = if depth >= 3 && move_count > 3 { 1 + move_count / 8 } else { 0 };
            let mut score = -self.search(mix(key + step), new_depth - reduction, -alpha - 1, -alpha);
            if score > alpha {
                score = -self.search(mix(key + step), new_depth, -beta, -alpha);
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

fn main() {
    let mut searcher = Searcher { nodes: 0 };
    for key in 1..=4 {
        let value = searcher.search(key, 5, -1000, 1000);
        println!("{value} {}", searcher.nodes);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
}

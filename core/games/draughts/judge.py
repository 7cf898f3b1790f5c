"""Positions of random games with what pydraughts (MIT, https://pypi.org/project/pydraughts/) says of their moves.

    pip install pydraughts==0.6.7
    python3 judge.py 10000 0 all > all.txt    # minutes; every line is a judgement
    JUDGED=$PWD/all.txt cargo test --release -p secateur-draughts judged
    python3 judge.py 400 1 > data/judged.txt  # what every test run is held to

One position of each game, early or late; with `all` every position of the games, none twice, which takes a hundredth of the time. The
tests ask for some of these themselves where the package is there (`JUDGE=10000 cargo test -p secateur-draughts asked`).

A line is FEN;moves;hash;plies;leaves: the number of different positions after one move, FNV-1a over their FENs (sorted, each with a
newline), and the leaves of the tree of so many plies (3, or the second argument plus 1). Two captures with the same result are one
move here, so positions are counted and not ways.
"""

import random
import sys

import draughts


def fen(board):
    """The FEN with both lists in the order of squares."""
    side, white, black = board.fen.split(":")
    order = lambda squares: ",".join(sorted(squares[1:].split(","), key=lambda name: int(name.strip("K")))) if squares[1:] else ""
    return f"{side}:W{order(white)}:B{order(black)}"


def after(text):
    """The different positions after one move."""
    board = draughts.Board(variant="english", fen=text)
    found = set()
    for move in board.legal_moves():
        board.push(move)
        found.add(fen(board))
        board.pop()
    return sorted(found)


def leaves(text, plies):
    if plies == 0:
        return 1
    nexts = after(text)
    return len(nexts) if plies == 1 else sum(leaves(following, plies - 1) for following in nexts)


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def main():
    count = int(sys.argv[1])
    plies = int(sys.argv[2]) + 1 if len(sys.argv) > 2 else 3
    whole, seen = sys.argv[3:] == ["all"], set()
    dice = random.Random(19)
    text, at, left = None, 0, count
    while left:
        if text is None:
            text, at, stop = fen(draughts.Board(variant="english")), 0, dice.randrange(1, 90)
        nexts = after(text)
        # One position of every game, the late ones as often as the early ones, or all of them.
        over = at >= stop or not nexts
        if over or whole:
            if text not in seen or not whole:
                found = "".join(line + "\n" for line in nexts)
                tree = len(nexts) if plies == 1 else leaves(text, plies)
                print(f"{text};{len(nexts)};{fnv(found):016x};{plies};{tree}", flush=True)
                left -= 1
                seen.add(text)
            if over or not left:
                text = None
                continue
        text, at = dice.choice(nexts), at + 1


main()

"""Compares the legal moves that `examples/rules.rs` prints with those of Fairy-Stockfish (`pip install pyffish`)."""

import re
import sys

import pyffish


def fen(sfen):
    """What SFEN says, as Fairy-Stockfish reads it: hands behind the board, and white begins."""
    board, side, hands, number = sfen.split(" ")
    held = re.sub(r"(\d+)(.)", lambda match: int(match[1]) * match[2], hands)
    return f"{board}[{held}] {'w' if side == 'b' else 'b'} 0 {number}"


def square(text):
    return "abcdefghi"[9 - int(text[0])] + str(9 - "abcdefghi".index(text[1]))


def move(text):
    if "*" in text:
        return text[0] + "@" + square(text[2:])
    return square(text[:2]) + square(text[2:4]) + text[4:]


positions = moves = drops = wrong = 0
for line in sys.stdin:
    sfen, _, found = line.rstrip("\n").partition("\t")
    own = {move(text) for text in found.split()}
    expected = set(pyffish.legal_moves("shogi", fen(sfen), []))
    positions += 1
    moves += len(own)
    drops += sum("@" in text for text in own)
    if own != expected:
        wrong += 1
        if wrong <= 5:
            print(sfen, "only here:", sorted(own - expected), "only there:", sorted(expected - own))
print(f"{positions} positions, {moves} moves, {drops} of them drops, {wrong} positions differ")
sys.exit(wrong > 0)

#!/usr/bin/env python3
"""Reads a run of secateur with pandas and DuckDB.

    secateur report docs/runs/quick --csv --out quick.csv
    python3 docs/read_run.py docs/runs/quick quick.csv

The first argument is the folder of a run: its records.csv has a row for each search (docs/RECORD.md). In an archived run records.csv is
an entry of rows.zip. The second argument is what `report --csv` writes: a row for each measure of each method set, unrounded, with its interval (docs/METHODOLOGY.md).
"""

import pathlib
import sys
import zipfile

import duckdb
import pandas


def measures(path):
    """What each method saves and how often it keeps the move, a line a method set."""
    rows = pandas.read_csv(path)
    rows = rows[(rows.stage == "all") & rows.measure.isin(["nodes_saved", "same_move"])]
    # Several runs in one file are told apart by `run`.
    keys = ["run", "game", "budget_kind", "budget", "methods"]
    return rows.pivot(index=keys, columns="measure", values="estimate").dropna().sort_values("nodes_saved")


def changed(folder):
    """Searches of one depth that play another move than the baseline, and how far the values are apart, in score units."""
    query = """
        SELECT own.game, own.budget, own.methods, own.position,
               base.best_move AS base_move, own.best_move AS move,
               abs(own.score - base.score) AS apart,
               base.nodes / own.nodes AS saved
        FROM records AS own
        JOIN records AS base USING (game, suite, position, budget_kind, budget)
        WHERE base.methods = 'none' AND own.methods <> 'none' AND own.repeat = 0 AND base.repeat = 0
          AND own.budget_kind = 'depth' AND own.best_move <> base.best_move AND own.move_tied IS DISTINCT FROM 1
        ORDER BY apart DESC
    """
    path, archive = pathlib.Path(folder, "records.csv"), pathlib.Path(folder, "rows.zip")
    # DuckDB takes a table of pandas by the name of its variable.
    records = pandas.read_csv(path if path.exists() else zipfile.ZipFile(archive).open("records.csv"))
    return duckdb.query(query).df()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(measures(sys.argv[2]).to_string())
    print()
    print(changed(sys.argv[1]).head(20).to_string(index=False))


if __name__ == "__main__":
    main()

"""Lock cells, as a lesson in marimo: marimo edit lock_cells.py"""

import marimo

__generated_with = "0.25.2"
app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np
    from gradlock_grid import Grid

    return Grid, mo, np


@app.cell
def _(mo):
    mo.md(
        """
        # Lock cells

        Each number should become −1 or 1, so that together they show a heart. **Click cells** to
        lock them, before or while they train. A **broken padlock** is a locked cell that moved
        nevertheless.

        Guess first: which of the three rules holds a cell that you lock in the middle of a run?
        """
    )
    return


@app.cell
def _(np):
    picture = """
    . . . . . . . .
    . # # . . # # .
    # # # # # # # #
    # # # # # # # #
    . # # # # # # .
    . . # # # # . .
    . . . # # . . .
    . . . . . . . .
    """
    rows = [row.split() for row in picture.strip().splitlines()]
    target = np.where(np.array(rows) == "#", 1.0, -1.0)
    return (target,)


@app.cell
def _(Grid, mo, target):
    grid = mo.ui.anywidget(Grid(0 * target, label="heart", reach=1))
    rule = mo.ui.radio(["no momentum", "mask on the gradient", "exact"], "no momentum", label="Rule")
    start = mo.ui.run_button(label="Train")
    mo.vstack([grid, rule, start])
    return grid, rule, start


@app.cell
def _(grid, mo):
    mo.md(f"Locked cells, which are `True` in `grid.locks`: **{grid.locks.sum()}**")
    return


@app.cell
def _(np, target):
    def make_step(rule):
        """Returns a function that makes one step of training, with a velocity of its own."""
        velocity = 0 * target

        def step(values, locks):
            nonlocal velocity
            gradient = values - target
            if rule == "no momentum":
                return np.where(locks, values, values - 0.05 * gradient)
            if rule == "mask on the gradient":
                velocity = 0.95 * velocity + gradient * ~locks  # 0 for locked cells
                return values - 0.005 * velocity
            velocity = np.where(locks, 0, 0.95 * velocity + gradient)
            return np.where(locks, values, values - 0.005 * velocity)

        return step

    return (make_step,)


@app.cell
def _(grid, make_step, mo, rule, start, target):
    mo.stop(not start.value)
    grid.reset(0 * target)
    task = grid.train(make_step(rule.value))
    return


@app.cell
def _(mo):
    mo.md(
        """
        **Why?** A mask hides the gradient of a locked cell, but the velocity remembers the steps
        from before. An exact lock takes the cell out of the update and out of the memory.
        """
    )
    return


if __name__ == "__main__":
    app.run()

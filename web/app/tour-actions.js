/** Does the actions of a tour's button, until another scene is open. @param {import('./app.js').App} app @param {import('../scenes/scene.js').TourAction[]} actions */
export async function perform(app, actions) {
  const { scene } = app;
  for (const action of actions) {
    if (app.scene !== scene) return;
    if ('train' in action) {
      await app.runs.step(action.train);
      await app.caughtUp();
    } else if ('state' in action) await app.change(action.state);
    else if ('rule' in action) await app.changeOptimizer({ rule: action.rule });
    else if ('prune' in action) await app.cells.prune(action.prune);
    else if ('pruneAnew' in action) await app.runs.pruneAnew(action.pruneAnew);
    else if ('lock' in action) app.cells.lock(action.lock, true);
    else if ('raise' in action) await app.cells.raise(action.raise);
    else if ('unlock' in action) app.cells.lock(action.unlock, false);
    else if ('free' in action) app.cells.lockAll(false);
    else if ('hold' in action) await app.switchTo(action.hold);
    else if ('reset' in action) await app.runs.reset();
    else await app.change({ selected: action.select });
  }
}

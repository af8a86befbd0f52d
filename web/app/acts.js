/** Does the acts of a lesson's button. @param {import('./app.js').App} app @param {import('../scenes/scene.js').TourAct[]} acts */
export async function perform(app, acts) {
  for (const act of acts) {
    if ('train' in act) await app.player.step(act.train);
    else if ('state' in act) await app.change(act.state);
    else if ('rule' in act) await app.changeOptimizer({ rule: act.rule });
    else if ('prune' in act) await app.prune(act.prune);
    else if ('pruneAnew' in act) await app.runs.pruneAnew(act.pruneAnew);
    else if ('lock' in act) app.locks.set(act.lock, true);
    else if ('unlock' in act) app.locks.set(act.unlock, false);
    else if ('free' in act) app.locks.setAll(false);
    else if ('hold' in act) await app.switchTo(act.hold);
    else if ('reset' in act) await app.player.reset();
    else await app.change({ selected: act.select });
  }
}

/* A thread that deflates bytes by zopfli, which takes ten seconds: the two modules and the
 * shortening of code then share the processor's cores. */
import { parentPort, workerData } from 'node:worker_threads';
import zopfli from '@gfx/zopfli';

zopfli.zlib(workerData.bytes, workerData.options, (error, deflated) => {
  if (error) throw error;
  parentPort?.postMessage(deflated);
});

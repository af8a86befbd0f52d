/* `using`, which takes libraries of TypeScript's own. */
import { init } from 'gradlock';
using g = await init();
using x = g.variable(1);
export default x.size;

import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from '../program.js';

export const dynamic = 'force-dynamic'; // trains at each request, not once at the build

export default async function Page() {
  return <p>{await program(init, layers).catch(String)}</p>;
}

import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from '../program.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  const result = await program(init, layers).catch(String);
  return new Response(`<body>${result}</body>`, { headers: { 'content-type': 'text/html' } });
}

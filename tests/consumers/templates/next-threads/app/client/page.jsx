'use client';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { useEffect, useState } from 'react';
import { program } from '../program.js';

async function start() {
  const g = await init({ threads: 2 });
  if (g.threads < 2) throw new Error(`one thread: ${g.threadsReason}`);
  return g;
}

export default function Page() {
  const [result, setResult] = useState('');
  useEffect(() => {
    program(start, layers).catch(String).then(setResult);
  }, []);
  return <p>{result}</p>;
}

'use client';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { useEffect, useState } from 'react';
import { program } from '../program.js';

export default function Page() {
  const [onPage, setOnPage] = useState('');
  const [inWorker, setInWorker] = useState('');
  useEffect(() => {
    program(init, layers).catch(String).then(setOnPage);
    const worker = new Worker(new URL('../worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => setInWorker(data);
    return () => worker.terminate();
  }, []);
  return (
    <>
      <p>{onPage}</p>
      <p>{inWorker}</p>
    </>
  );
}

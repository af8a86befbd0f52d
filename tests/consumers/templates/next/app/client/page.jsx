'use client';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { useEffect, useState } from 'react';
import { program } from '../program.js';

export default function Page() {
  const [result, setResult] = useState('');
  useEffect(() => {
    program(init, layers).then(setResult, (error) => setResult(String(error)));
  }, []);
  return <p>{result}</p>;
}

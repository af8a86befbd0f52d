// Vite's import of a file as text, and its search for files.
declare module '*?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  glob: (pattern: string, options?: object) => Record<string, never>;
}

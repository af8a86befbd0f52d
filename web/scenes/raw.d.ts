// Vite's import of a file as text.
declare module '*?raw' {
  const text: string;
  export default text;
}

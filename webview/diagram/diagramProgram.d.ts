/** The program that draws diagrams (program.ts and its packages), as a text; the build makes it. */
declare module 'diagram-program' {
  export const text: string;
}

/**
 * Writes to standard output and waits until it is taken: nothing is lost on a slow pipe, however much there is. A reader
 * that goes away (`| head`) ends the program quietly.
 */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === undefined || error === null) return resolve();
      if ('code' in error && error.code === 'EPIPE') process.exit(0);
      reject(error);
    });
  });
}

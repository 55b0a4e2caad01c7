// What bin/crawler.js is, for the build folder that PROGRAM_DIST names (jest.config.js).
const { main } = await import(new URL(`../../${process.env.PROGRAM_DIST}/cli/main.js`, import.meta.url).href);

process.exitCode = await main(process.argv.slice(2));

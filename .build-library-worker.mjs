import { crawl, extract } from 'document-crawler';
        import { parentPort, workerData } from 'node:worker_threads';
        const { indexed } = await (await crawl(workerData.place, workerData.options)).done;
        const { text } = await extract('README.md');
        parentPort.postMessage([indexed, text.length > 100]);
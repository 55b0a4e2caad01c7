import { Socket } from 'node:net';
import { ignoreStopSignals } from '../../../base/ignore-stop-signals.js';
import { brokerDescriptors } from '../channel/broker-messages.js';
import type { ProgramIsolation } from '../isolation/sandbox-backend.js';
import { Broker } from './broker.js';

/**
 * The program of a broker. Arguments: the id of the sandbox process, which ends with the broker, and how programs are isolated,
 * as JSON, if they are.
 */
const [, , processId = '', programs] = process.argv;

ignoreStopSignals();
const { fromPool, toProcess, requests } = brokerDescriptors;
new Broker({
  pool: new Socket({ fd: fromPool, readable: true, writable: false }),
  process: new Socket({ fd: toProcess, readable: true, writable: true }),
  requests: new Socket({ fd: requests, readable: true, writable: true }),
  processId: Number(processId),
  programs: programs === undefined ? undefined : (JSON.parse(programs) as ProgramIsolation),
}).run();

import * as contract from '@linekeeper/contract/lines/bulk.ts';
import * as customersContract from '@linekeeper/contract/lines/customers.ts';
import { route } from '../../../domain/use-cases/use-case.ts';
import { listOwnJobs, readJob } from '../jobs/jobs-store.ts';
import { cancelJob, undoJob } from './end-job.ts';
import { jobCsv } from './job-csv.ts';
import { customersToTell, jobCustomers, markTold } from './job-customers.ts';
import { requestJob } from './request-job.ts';

export const bulkRoutes = [
  route(contract.bulkLines, requestJob),
  route(contract.listJobs, async ({ db, actor }) => ({ items: await listOwnJobs(db, actor) })),
  route(contract.getJob, ({ db, actor }, { params, query }) =>
    readJob(db, actor, params.id, query.items, query.after),
  ),
  route(contract.cancelJob, cancelJob),
  route(contract.undoJob, undoJob),
  route(contract.jobCsv, jobCsv),
  route(customersContract.jobCustomers, jobCustomers),
  route(customersContract.markTold, markTold),
  route(customersContract.customersToTell, customersToTell),
];

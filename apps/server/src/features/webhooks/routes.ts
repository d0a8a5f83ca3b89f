import * as contract from '@linekeeper/contract/webhooks.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhook,
} from './webhooks.ts';

export const webhookRoutes = [
  route(contract.listWebhooks, listWebhooks),
  route(contract.createWebhook, createWebhook),
  route(contract.editWebhook, editWebhook),
  route(contract.deleteWebhook, deleteWebhook),
  route(contract.rotateWebhook, rotateWebhook),
  route(contract.listDeliveries, listDeliveries),
  route(contract.redeliver, redeliver),
];

import { updateMaintenanceStarter } from './store-maintenance.ts';

/** Maintenance that the user started stays under this name. */
export const renameMaintenanceStarter = updateMaintenanceStarter;

import { updateMaintenanceStarter } from './store-maintenance.ts';

/** Updates the username on maintenance runs that the user started. */
export const renameMaintenanceStarter = updateMaintenanceStarter;

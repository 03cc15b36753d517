export const servers = {};

export const NotificationsBell = () => null

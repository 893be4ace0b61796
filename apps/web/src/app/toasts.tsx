import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** Short messages after an action (`notifications.show` of @mantine/notifications). */
export default function Toasts() {
  return <Notifications position="top-right" autoClose={5000} zIndex={400} />
}

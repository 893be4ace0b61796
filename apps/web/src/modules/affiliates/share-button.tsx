import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShare } from '@tabler/icons-react'

type Props = { link: string; title: string; label: string; copied: string }

/** Opens the phone's share sheet with a link, or copies the link if there is none. */
export function ShareButton({ link, title, label, copied }: Props) {
  const share = async () => {
    try {
      if ('share' in navigator) return await navigator.share({ title, url: link })
      await (navigator as Navigator).clipboard.writeText(link)
      notifications.show({ color: 'green', message: copied })
    } catch {
      // Closed without choosing, or no https: the link is shown beside the button.
    }
  }
  return (
    <Button onClick={share} leftSection={<IconShare size={18} aria-hidden />} mih={44}>
      {label}
    </Button>
  )
}

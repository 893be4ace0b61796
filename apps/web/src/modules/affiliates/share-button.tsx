import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShare } from '@tabler/icons-react'

type Props = { link: string; title: string; label: string; copied: string }

/** Opens the sheet of the phone with a link, or copies it where there is none. */
export function ShareButton({ link, title, label, copied }: Props) {
  const share = async () => {
    try {
      if ('share' in navigator) return await navigator.share({ title, url: link })
      await (navigator as Navigator).clipboard.writeText(link)
      notifications.show({ color: 'green', message: copied })
    } catch {
      // Closed without choosing, or without https: the link stands beside the button.
    }
  }
  return (
    <Button onClick={share} leftSection={<IconShare size={18} aria-hidden />} mih={44}>
      {label}
    </Button>
  )
}

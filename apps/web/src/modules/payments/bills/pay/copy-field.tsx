import { Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/modules/payments/bills/bills.module.css'

async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without https the clipboard API is missing, so copy from a hidden field.
    const field = document.createElement('textarea')
    field.value = text
    field.style.position = 'fixed'
    field.style.opacity = '0'
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}

type Props = { label: string; displayText: string; value: string; copyLabel: string }

/** A value to enter at the bank, large, with a copy button. */
export function CopyField({ label, displayText, value, copyLabel }: Props) {
  const { t } = useTranslation('bills')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <div className={classes.copyField}>
      <div>
        <div className={classes.label}>{label}</div>
        <div className={classes.large}>{displayText}</div>
      </div>
      <Button
        variant="default"
        className={classes.copyButton}
        onClick={async () => setCopied(await copyText(value))}
        aria-label={copied ? t('account.copied') : copyLabel}
      >
        {copied ? t('account.copied') : t('account.copy')}
      </Button>
      <VisuallyHidden role="status">{copied ? t('account.copied') : ''}</VisuallyHidden>
    </div>
  )
}

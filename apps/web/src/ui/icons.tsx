/** Icons of the first page, drawn here so that it loads no icon library. */
type Props = { size?: number }

export const ErrorIcon = ({ size = 24 }: Props) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    aria-hidden="true"
    style={{ color: 'var(--pmb-tone-stopped)' }}
  >
    <circle cx="12" cy="12" r="10" stroke="currentColor" strokeWidth="2" />
    <path d="M12 7v6M12 16.500v.5" stroke="currentColor" strokeWidth="2.200" strokeLinecap="round" />
  </svg>
)

/** The product's logo: a mortarboard. */
export const Mark = ({ size = 32 }: Props) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#1E1E2D" />
    <path d="M16 7 4 13l12 6 9-4.500V21h2v-7.500L16 7Z" fill="var(--pmb-accent)" />
    <path d="M9 17.500V22c0 1.700 3.100 3.500 7 3.500s7-1.800 7-3.500v-4.500l-7 3.500-7-3.500Z" fill="#fff" />
  </svg>
)

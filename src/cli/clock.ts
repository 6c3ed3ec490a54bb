/** A moment (milliseconds since 1970) as the time of day where the person is: "08:00". */
export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

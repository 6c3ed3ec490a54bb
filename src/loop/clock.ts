/** Says moments (milliseconds since 1970) as the clock where the person is shows them, seen from `nowMs`: "21:03", "08:00 tomorrow", "08:00 on 3 Dec". */
export function clockFrom(nowMs: number): (ms: number) => string {
  const [today, tomorrow] = [dayOf(nowMs, 0), dayOf(nowMs, 1)];
  return (ms) => {
    const moment = new Date(ms);
    const time = moment.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    switch (dayOf(ms, 0)) {
      case today:
        return time;
      case tomorrow:
        return `${time} tomorrow`;
      default:
        return `${time} on ${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}`;
    }
  };
}

/** The day of a moment by the person's calendar, or one `later`: days of a change of the clocks aren't 24 hours long. */
function dayOf(ms: number, later: number): string {
  const day = new Date(ms);
  day.setDate(day.getDate() + later);
  return day.toDateString();
}

//! CPU time of the searching thread, and the date.
//!
//! Thread CPU time leaves out what other programs take from the core, which wall time does not.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// CPU time that the calling thread has used since it started.
#[must_use]
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    return of(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(windows)]
    cpu_time::ThreadTime::now().as_duration()
}

/// Time since some moment before the process began, whatever used the core meanwhile.
#[must_use]
pub fn wall_time() -> Duration {
    #[cfg(unix)]
    return of(rustix::time::ClockId::Monotonic);
    #[cfg(windows)]
    {
        static FIRST: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        // Differences are all that is asked for, and the first look may be the earlier one of two.
        Duration::from_secs(1) + FIRST.elapsed()
    }
}

/// What a clock of the system shows.
#[cfg(unix)]
fn of(clock: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// A moment in UTC as `2026-11-21T04:36:12Z`.
#[must_use]
pub fn utc(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The day alone: `2026-11-21`.
#[must_use]
pub fn day(moment: SystemTime) -> String {
    utc(moment).chars().take_while(|&letter| letter != 'T').collect()
}

/// The moment without separators, for names of folders: `20261121T043612Z`.
#[must_use]
pub fn stamp(moment: SystemTime) -> String {
    utc(moment).replace(['-', ':'], "")
}

/// Year, month and day of a number of days since 1970. Counts years from March, so that the leap day comes
/// last (Hatcher 1984).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(4_102_444_799), "2099-12-31T23:59:59Z");
        assert_eq!(stamp(UNIX_EPOCH), "19700101T000000Z");
    }

    #[test]
    fn thread_time_does_not_run_backwards() {
        let before = thread_time();
        assert!(thread_time() >= before);
    }
}

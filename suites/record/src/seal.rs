//! Seals: short hashes by which a file or a row vouches that it is as it was written.
//!
//! A seal finds what disks, editors and half-finished copies do to a file. FNV-1a maps texts of one length that differ in
//! one byte to different hashes always, and others to the same one once in 2^64. It stops no forger: whoever can write a
//! row can write its seal, and the source is open.

use crate::error::Error;
use secateur_base::{Fnv, fault};
use std::path::Path;

/// What a sealed file begins with.
const HEAD: &str = "seal = \"";

/// The seal of some bytes, 16 hex digits.
#[must_use]
pub fn seal(bytes: &[u8]) -> String {
    Fnv::default().bytes(bytes).hex()
}

/// A TOML text with its seal as the first line.
#[must_use]
pub fn sealed(text: &str) -> String {
    format!("{HEAD}{}\"\n{text}", seal(text.as_bytes()))
}

/// The text behind the seal of a file, and whether there was one: files of older versions have none.
///
/// # Errors
/// [`Error::Fault`] at the seal, if the text is not the one that was sealed.
pub fn unsealed<'t>(path: &Path, text: &'t str) -> Result<(&'t str, bool), Error> {
    let Some(rest) = text.strip_prefix(HEAD) else { return Ok((text, false)) };
    let (found, body) = rest.split_once("\"\n").unwrap_or((rest, ""));
    let expected = seal(body.as_bytes());
    match found == expected {
        true => Ok((body, true)),
        false => {
            let message = format!("the file is not as it was written: its seal is `{expected}`");
            Err(fault(path, text, HEAD.len(), message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_happens_to_a_sealed_text_is_found() {
        let path = Path::new("x.toml");
        let text = sealed("a = 1\nb = \"two\"\n");
        assert_eq!(unsealed(path, &text).unwrap(), ("a = 1\nb = \"two\"\n", true));
        for at in 0..text.len() {
            for bit in 0..7 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let Ok(damaged) = String::from_utf8(bytes) else { continue };
                // A damage of the first words makes the text one without a seal, which its reader must not expect.
                assert!(!matches!(unsealed(path, &damaged), Ok((_, true))), "{damaged}");
            }
            assert!(!matches!(unsealed(path, &text[..at]), Ok((_, true))), "cut at {at}");
        }
    }

    #[test]
    fn a_text_without_a_seal_is_given_back() {
        assert_eq!(unsealed(Path::new("x"), "run = 1\n").unwrap(), ("run = 1\n", false));
    }
}

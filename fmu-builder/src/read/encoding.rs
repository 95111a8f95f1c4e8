//! The encoding of `modelDescription.xml`: UTF-8, which FMI demands, or one of those that some tools write nevertheless.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// Length of the longest XML declaration that is read.
const MAX_DECLARATION: usize = 200;

/// A text and the encoding that it was in, if it was not UTF-8.
pub(crate) struct Decoded {
    pub text: String,
    pub foreign: Option<String>,
}

/// Decodes a document. Its declaration then says UTF-8, as [`parse`](super::element::parse) demands; lines stay the same.
///
/// # Errors
///
/// When it is not in its encoding. Encodings with more than one byte for a character are left to the parser, which
/// refuses them: other readers could see other elements in them.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<Decoded, String> {
    let declared = declared(&bytes).map(|(_, label)| String::from_utf8_lossy(label).into_owned());
    let encoding = declared.as_deref().and_then(|label| Encoding::for_label(label.as_bytes()));
    let foreign = encoding.filter(|it| *it != UTF_8 && it.is_single_byte() && it.is_ascii_compatible());
    let is_ascii = declared.as_deref().is_some_and(|label| label.eq_ignore_ascii_case("US-ASCII"));
    let (Some(encoding), Some(label), false) = (foreign, declared, is_ascii) else {
        let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
        return Ok(Decoded { text, foreign: None });
    };
    let (text, has_errors) = encoding.decode_without_bom_handling(&bytes);
    if has_errors {
        return Err(format!("is not text in {label}, the encoding that it declares"));
    }
    Ok(Decoded { text: declaring_utf8(text, &bytes), foreign: Some(label) })
}

/// Returns the text with UTF-8 as the encoding in its declaration, which is ASCII.
fn declaring_utf8(text: Cow<'_, str>, bytes: &[u8]) -> String {
    let mut text = text.into_owned();
    if let Some((at, label)) = declared(bytes) {
        text.replace_range(at..at + label.len(), "UTF-8");
    }
    text
}

/// Returns position and name of the encoding in an XML declaration.
fn declared(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let head = &bytes[..bytes.len().min(MAX_DECLARATION)];
    let end = head.windows(2).position(|pair| pair == b"?>").filter(|_| head.starts_with(b"<?xml"))?;
    let word = b"encoding";
    let after = head[..end].windows(word.len()).position(|found| found == word)? + word.len();
    let quote = head[after..end].iter().position(|byte| matches!(byte, b'"' | b'\'')).map(|at| after + at)?;
    let length = head[quote + 1..end].iter().position(|byte| *byte == head[quote])?;
    Some((quote + 1, &head[quote + 1..quote + 1 + length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_with_one_byte_for_a_sign_are_decoded() {
        for (label, byte, sign) in [("ISO-8859-1", 0xe4, 'ä'), ("iso-8859-15", 0xa4, '€'), ("windows-1252", 0x80, '€')]
        {
            let document =
                [format!("<?xml version='1.0' encoding='{label}'?>\n<a x='").as_bytes(), &[byte], b"'/>"].concat();
            let Decoded { text, foreign } = decode(document).unwrap();
            assert_eq!(text, format!("<?xml version='1.0' encoding='UTF-8'?>\n<a x='{sign}'/>"));
            assert_eq!(foreign.as_deref(), Some(label));
        }
    }

    #[test]
    fn other_encodings_are_left_as_they_are() {
        for head in [
            "",
            "<?xml version=\"1.0\"?>",
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
            "<?xml encoding=\"US-ASCII\"?>",
            "<?xml encoding='UTF-7'?>",
            "<?xml encoding='UTF-16'?>",
            "<?xml encoding='Shift_JIS'?>",
            "<?xml encoding='nonsense'?>",
        ] {
            let Decoded { text, foreign } = decode(format!("{head}<ä/>").into_bytes()).unwrap();
            assert_eq!((text, foreign), (format!("{head}<ä/>"), None));
        }
        assert_eq!(decode(b"<a x='\xe4'/>".to_vec()).err().unwrap(), "is not UTF-8 text");
        let undefined = b"<?xml encoding='iso-8859-3'?><a x='\xa5'/>".to_vec();
        let message = "is not text in iso-8859-3, the encoding that it declares";
        assert_eq!(decode(undefined).err().unwrap(), message);
    }
}

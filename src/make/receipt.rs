//! Receipts and hashes from parts: what a producer does at the moment of a call.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::json::{Json, object};
use crate::aer1::report::hex;

/// Standard base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Lowercase hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// `sha256:` and the digest, as `output_hash` is written (rules §3.12).
pub fn output_hash(bytes: &[u8]) -> String {
    format!("sha256:{}", sha256_hex(bytes))
}

/// What identifies and labels one call: everything of a receipt but its bytes and what follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// `id`.
    pub id: String,
    /// `receipt_schema_version`.
    pub version: String,
    /// `created_at`, or `timestamp` in the transport form.
    pub created: String,
    /// Tool name.
    pub tool: String,
    /// Tool version.
    pub tool_version: String,
    /// Caller scope.
    pub scope: String,
    /// `provenance_class`.
    pub provenance: String,
}

impl Parts {
    fn tool(&self) -> Json {
        object([
            ("name", self.tool.as_str().into()),
            ("version", self.tool_version.as_str().into()),
            ("scope", self.scope.as_str().into()),
        ])
    }

    /// A complete published receipt that says `verified` (rules §3.6).
    pub fn published(&self, bytes: &[u8]) -> Json {
        object([
            ("id", self.id.as_str().into()),
            ("receipt_schema_version", self.version.as_str().into()),
            ("created_at", self.created.as_str().into()),
            ("tool", self.tool()),
            ("provenance_class", self.provenance.as_str().into()),
            ("canonical_bytes", base64(bytes).into()),
            ("output_hash", output_hash(bytes).into()),
            ("verification_status", "verified".into()),
        ])
    }

    /// A transport receipt as an MCP response carries it, without bytes: `claims` is its `verification_status`,
    /// `status` how the call ended.
    pub fn transport_without_bytes(&self, claims: &str, status: &str) -> Json {
        object([
            ("id", self.id.as_str().into()),
            ("tool", self.tool.as_str().into()),
            ("timestamp", self.created.as_str().into()),
            ("tool_context", self.tool()),
            ("receipt_schema_version", self.version.as_str().into()),
            ("provenance_class", self.provenance.as_str().into()),
            ("verification_status", claims.into()),
            ("status", status.into()),
        ])
    }

    /// A transport receipt with its bytes and everything that describes them.
    pub fn transport(&self, bytes: &[u8], claims: &str, status: &str) -> Json {
        self.transport_without_bytes(claims, status)
            .with("canonical_bytes", base64(bytes))
            .with("canonical_byte_length", bytes.len() as u64)
            .with("hash_algorithm", "sha256")
            .with("output_hash", output_hash(bytes))
    }
}

/// The same receipt over other bytes: `canonical_bytes` and `output_hash` replaced, and the length where it is stated.
#[must_use]
pub fn committing(receipt: Json, bytes: &[u8]) -> Json {
    let stated = receipt.get("canonical_byte_length").is_some();
    let receipt = receipt.with("canonical_bytes", base64(bytes)).with("output_hash", output_hash(bytes));
    if stated { receipt.with("canonical_byte_length", bytes.len() as u64) } else { receipt }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_base64() {
        assert_eq!(base64(b"a"), "YQ==");
        assert_eq!(output_hash(b""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}

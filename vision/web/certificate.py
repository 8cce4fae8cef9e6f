"""The local certificate that lets a phone's browser hand over its camera."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from vision.web.errors import DoorError
from vision.web.files import write_private

if TYPE_CHECKING:
    from cryptography import x509

_DAYS = 397  # the longest that phones accept
_LEFT = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the certificate and its key lie; `fingerprint` is SHA-256 as browsers show it."""

    file: Path
    key: Path
    fingerprint: str


def local_certificate(folder: Path, addresses: Sequence[str], names: Sequence[str]) -> Certificate:
    """Return the certificate of a folder, made anew when missing, old or for other addresses."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    file, key = folder / "page.crt", folder / "page.key"
    wanted = {*addresses, *names}
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
        fits = key.is_file() and wanted <= _named(found)
        fresh = found.not_valid_after_utc - datetime.now(UTC) > _LEFT
    except (OSError, ValueError):
        fits = fresh = False
    if not (fits and fresh):
        try:
            found = _make(file, key, sorted(wanted))
        except OSError as error:
            raise DoorError(f"cannot write {file}: {error.strerror}") from error
    digest = found.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(file, key, digest)


def _named(certificate: x509.Certificate) -> set[str]:
    from cryptography import x509

    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    hosts = names.get_values_for_type(x509.DNSName)
    return {*hosts, *(str(a) for a in names.get_values_for_type(x509.IPAddress))}


def _make(file: Path, key_file: Path, names: Sequence[str]) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sooee")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write_private(key_file, secret)
    write_private(file, certificate.public_bytes(pem))
    return certificate


def _general(name: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)

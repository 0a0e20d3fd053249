package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.ReplayMarker;

/**
 * Names of keys: {@code <prefix>:{<subject>}:<label>}. The subject is the hash tag, so
 * that all buckets of one caller share a slot. Canonical subjects have no braces, and
 * neither may the prefix.
 */
final class RedisKeys {

	private final byte[] head;

	RedisKeys(String prefix) {
		if (prefix.isEmpty() || prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new IllegalArgumentException("the prefix must have at least one character, and no braces");
		}
		this.head = (prefix + ":{").getBytes(StandardCharsets.UTF_8);
	}

	// What follows the subject in the keys of a family; made once per family.
	static byte[] tail(BucketFamily family) {
		return ("}:" + family.label()).getBytes(StandardCharsets.UTF_8);
	}

	byte[] key(Bucket bucket, byte[] tail) {
		return key(bucket.subject(), tail);
	}

	byte[] markers(ReplayMarker marker) {
		return key(marker.owner(), "}:i".getBytes(StandardCharsets.UTF_8));
	}

	private byte[] key(String subject, byte[] tail) {
		byte[] middle = subject.getBytes(StandardCharsets.UTF_8);
		byte[] key = new byte[this.head.length + middle.length + tail.length];
		System.arraycopy(this.head, 0, key, 0, this.head.length);
		System.arraycopy(middle, 0, key, this.head.length, middle.length);
		System.arraycopy(tail, 0, key, this.head.length + middle.length, tail.length);
		return key;
	}

}

package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;

/**
 * Names of keys: {@code <prefix>:{<subject>}:<label>}, or
 * {@code <prefix>:{<subject>:<scope>}:<label>}. What stands in braces is the hash tag:
 * all keys with the same one share a slot. Canonical subjects have no braces, and neither
 * may the prefix.
 */
final class RedisKeys {

	private static final String MARKERS = "i";

	private static final byte[] HOLDERS = { ':', 'b' };

	private final byte[] head;

	private final HashTag hashTag;

	RedisKeys(String prefix, HashTag hashTag) {
		if (prefix.isEmpty() || prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new IllegalArgumentException("the prefix must not be empty or contain braces");
		}
		this.head = (prefix + ":{").getBytes(StandardCharsets.UTF_8);
		this.hashTag = hashTag;
	}

	byte[] key(Bucket bucket, byte[] tail) {
		return key(bucket.subject(), tail);
	}

	// The instances that hold units of a bucket, in its slot.
	byte[] holders(byte[] key) {
		byte[] holders = Arrays.copyOf(key, key.length + HOLDERS.length);
		System.arraycopy(HOLDERS, 0, holders, key.length, HOLDERS.length);
		return holders;
	}

	// The markers of an owner, in the slot of its buckets of a family.
	byte[] markers(String owner, BucketFamily family) {
		return key(owner, tail(family.scope(), MARKERS));
	}

	// The instances that share the limits. No bucket's key ends with its hash tag.
	byte[] instances() {
		return key("fleet", "}".getBytes(StandardCharsets.UTF_8));
	}

	// What another region has written. No bucket's label is without a dot.
	byte[] region(String name) {
		return key("regions", ("}:" + name).getBytes(StandardCharsets.UTF_8));
	}

	// What is counted of rejections. No bucket's label is a number or lacks a dot.
	byte[] rejections(long minute) {
		return key("top", ("}:" + minute).getBytes(StandardCharsets.UTF_8));
	}

	// The key of the hashes that stand for subjects there.
	byte[] rejectionsKey() {
		return key("top", "}:key".getBytes(StandardCharsets.UTF_8));
	}

	// What is not a bucket's, but shared by all instances.
	byte[] shared(String tag, String label) {
		return key(tag, ("}:" + label).getBytes(StandardCharsets.UTF_8));
	}

	// Whether two buckets have the same hash tag. An empty one is none.
	boolean together(Bucket one, Bucket other) {
		boolean sameSubject = one.subject().equals(other.subject());
		return switch (this.hashTag) {
			case SUBJECT -> sameSubject && !one.subject().isEmpty();
			case SUBJECT_AND_RULE -> sameSubject && one.family().scope().equals(other.family().scope());
		};
	}

	// What follows the subject in the keys of a family; made once per family.
	byte[] tail(String scope, String label) {
		String text = switch (this.hashTag) {
			case SUBJECT -> "}:" + label;
			case SUBJECT_AND_RULE -> ":" + scope + "}:" + label;
		};
		return text.getBytes(StandardCharsets.UTF_8);
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

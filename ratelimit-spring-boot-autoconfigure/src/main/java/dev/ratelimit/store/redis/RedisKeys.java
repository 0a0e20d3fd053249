package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;

/**
 * Names of keys: {@code <prefix>:{<subject>}:<label>}, or
 * {@code <prefix>:{<subject>:<scope>}:<label>}. The text in braces is the hash tag: all
 * keys with the same hash tag share a slot. Neither canonical subjects nor the prefix
 * contain braces.
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

	// The key of the instances that hold units of a bucket, in the slot of the bucket.
	byte[] holders(byte[] key) {
		byte[] holders = Arrays.copyOf(key, key.length + HOLDERS.length);
		System.arraycopy(HOLDERS, 0, holders, key.length, HOLDERS.length);
		return holders;
	}

	// The key of an owner's markers, in the slot of the owner's buckets of a family.
	byte[] markers(String owner, BucketFamily family) {
		return key(owner, tail(family.scope(), MARKERS));
	}

	// The key of the instances that share the limits. No key of a bucket ends with its
	// hash tag.
	byte[] instances() {
		return key("fleet", "}".getBytes(StandardCharsets.UTF_8));
	}

	// The key of the entry that another region has written. Each label of a bucket
	// contains a dot.
	byte[] region(String name) {
		return key("regions", ("}:" + name).getBytes(StandardCharsets.UTF_8));
	}

	// The key of the counts of rejections. Each label of a bucket contains a dot.
	byte[] rejections(long minute) {
		return key("top", ("}:" + minute).getBytes(StandardCharsets.UTF_8));
	}

	// The key of the secret for the hashes that replace subjects in these counts.
	byte[] rejectionsKey() {
		return key("top", "}:key".getBytes(StandardCharsets.UTF_8));
	}

	// A key that contains no bucket and that all instances share.
	byte[] shared(String tag, String label) {
		return key(tag, ("}:" + label).getBytes(StandardCharsets.UTF_8));
	}

	// Whether two buckets have the same hash tag. An empty hash tag does not count.
	boolean together(Bucket one, Bucket other) {
		boolean sameSubject = one.subject().equals(other.subject());
		return switch (this.hashTag) {
			case SUBJECT -> sameSubject && !one.subject().isEmpty();
			case SUBJECT_AND_RULE -> sameSubject && one.family().scope().equals(other.family().scope());
		};
	}

	// The part of the keys of a family after the subject, which is created once per
	// family.
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

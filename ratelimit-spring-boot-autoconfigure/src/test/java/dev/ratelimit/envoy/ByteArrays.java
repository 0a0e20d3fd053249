package dev.ratelimit.envoy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import io.grpc.MethodDescriptor;

/**
 * A marshaller that does not convert messages.
 */
final class ByteArrays implements MethodDescriptor.Marshaller<byte[]> {

	@Override
	public InputStream stream(byte[] value) {
		return new ByteArrayInputStream(value);
	}

	@Override
	public byte[] parse(InputStream stream) {
		try {
			return stream.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

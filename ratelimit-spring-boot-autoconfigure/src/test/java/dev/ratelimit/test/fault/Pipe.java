package dev.ratelimit.test.fault;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One direction of a connection. Received bytes are queued with their arrival time, so
 * that a delay does not reduce throughput.
 */
final class Pipe {

	private static final int MOST_CHUNKS = 1024;

	private static final int CHUNK_BYTES = 16 * 1024;

	private final Socket from;

	private final Link link;

	private final BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(MOST_CHUNKS);

	Pipe(Socket from, Link link) {
		this.from = from;
		this.link = link;
	}

	void fill() throws IOException, InterruptedException {
		InputStream in = this.from.getInputStream();
		byte[] buffer = new byte[CHUNK_BYTES];
		int length;
		do {
			length = in.read(buffer);
			this.underWay.put(new Chunk(Arrays.copyOf(buffer, Math.max(0, length)), this.link.arrivalNanos()));
		}
		while (length >= 0);
	}

	/**
	 * Pass received bytes on until the end of the stream, which is an empty chunk.
	 */
	void drain(Receiver receiver) throws IOException, InterruptedException {
		Chunk chunk;
		do {
			chunk = this.underWay.take();
			this.link.awaitArrival(chunk.arrivalNanos());
			receiver.receive(chunk.bytes());
		}
		while (chunk.bytes().length > 0);
	}

	/**
	 * Receives the bytes of a pipe.
	 */
	interface Receiver {

		void receive(byte[] bytes) throws IOException;

	}

	private record Chunk(byte[] bytes, long arrivalNanos) {
	}

}

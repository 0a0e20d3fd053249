package dev.ratelimit.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The bundle of a release: a zip file in the layout of a Maven repository. Immutable.
 */
final class Bundle {

	static final String GROUP = "dev/ratelimit/";

	private final Map<String, byte[]> files;

	private final String version;

	private Bundle(Map<String, byte[]> files, String version) {
		this.files = files;
		this.version = version;
	}

	/**
	 * Read the bundle that this build has created.
	 */
	static Bundle read() {
		Map<String, byte[]> files = new TreeMap<>();
		try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(Path.of(property("release.bundle"))))) {
			for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
				if (!entry.isDirectory()) {
					files.put(entry.getName(), zip.readAllBytes());
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new Bundle(files, property("release.version"));
	}

	private static String property(String name) {
		String value = System.getProperty(name);
		if (value == null) {
			throw new IllegalStateException("The build sets the system property '" + name + "'");
		}
		return value;
	}

	String version() {
		return this.version;
	}

	/**
	 * Return the paths of all files.
	 */
	List<String> paths() {
		return List.copyOf(this.files.keySet());
	}

	/**
	 * Return the paths of all files that are signed.
	 */
	List<String> artifacts() {
		return paths().stream().filter((path) -> !path.matches(".*\\.(asc|md5|sha1|sha256|sha512)")).toList();
	}

	/**
	 * Return the names of the artifacts, such as {@code ratelimit-spring-boot-starter}.
	 */
	List<String> names() {
		return paths().stream().map((path) -> path.substring(GROUP.length()).split("/")[0]).distinct().toList();
	}

	/**
	 * Return the path of a file of an artifact.
	 * @param name the name of the artifact
	 * @param suffix the part after its name and version, such as {@code -sources.jar}
	 */
	String path(String name, String suffix) {
		return GROUP + name + "/" + this.version + "/" + name + "-" + this.version + suffix;
	}

	byte[] bytes(String path) {
		byte[] bytes = this.files.get(path);
		if (bytes == null) {
			throw new IllegalArgumentException("'%s' is not in the bundle, which has %s".formatted(path, paths()));
		}
		return bytes;
	}

	String text(String path) {
		return new String(bytes(path), StandardCharsets.UTF_8);
	}

	/**
	 * Return the names of the files in a jar.
	 */
	List<String> entries(String path) {
		List<String> entries = new ArrayList<>();
		try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(bytes(path)))) {
			for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
				if (!entry.isDirectory()) {
					entries.add(entry.getName());
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return entries;
	}

	/**
	 * Return the text of a file in a jar.
	 */
	String entry(String path, String name) {
		try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(bytes(path)))) {
			for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
				if (entry.getName().equals(name)) {
					return new String(jar.readAllBytes(), StandardCharsets.UTF_8);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		throw new IllegalArgumentException("'%s' is not in '%s'".formatted(name, path));
	}

	Manifest manifest(String path) {
		try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(bytes(path)))) {
			Manifest manifest = jar.getManifest();
			for (JarEntry entry = jar.getNextJarEntry(); manifest == null
					&& entry != null; entry = jar.getNextJarEntry()) {
				if (entry.getName().equals("META-INF/MANIFEST.MF")) {
					manifest = new Manifest(jar);
				}
			}
			return (manifest != null) ? manifest : new Manifest();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	InputStream stream(String path) {
		return new ByteArrayInputStream(bytes(path));
	}

}

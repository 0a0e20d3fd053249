package com.example.notes;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.repository.CrudRepository;

public interface NoteRepository extends CrudRepository<Note, Long> {

	@Cacheable("notes")
	long countByText(String text);

}

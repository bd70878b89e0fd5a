((element (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)))) @definition.section
  (#eq? @_id "id"))
((script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @module)))) @import
  (#eq? @_src "src"))
((start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_link "link") (#eq? @_href "href"))
(script_element (raw_text) @embedded)
((script_element (start_tag (attribute (attribute_name) @_type (quoted_attribute_value (attribute_value) @kind))) (raw_text) @embedded)
  (#eq? @_type "type"))

# Notes the calls that a Ruby program makes within one folder.
#
#   CALLS_ROOT=REPO CALLS_OUT=calls.tsv ruby -r ./calls.rb test/some_test.rb
#
# A line for each: the caller's file and line, the method's name, its file and line, and what is
# made, if that is what it does. Lines are added to what CALLS_OUT has.
require 'set'

root = "#{File.realpath(ENV.fetch('CALLS_ROOT'))}/"
seen = Set.new
trace = TracePoint.new(:call) do |point|
  next unless point.path.start_with?(root)

  frame = caller_locations(2, 1)&.first
  next unless frame&.path&.start_with?(root)

  made = point.method_id == :initialize ? point.self.class.name : ''
  seen << [frame.path, frame.lineno, point.callee_id, point.path, point.lineno, made]
end
at_exit do
  trace.disable
  File.open(ENV.fetch('CALLS_OUT'), 'a') do |out|
    seen.each do |call|
      out.puts(call.map { |part| part.to_s.delete_prefix(root).gsub(/\s/, ' ') }.join("\t"))
    end
  end
end
trace.enable
